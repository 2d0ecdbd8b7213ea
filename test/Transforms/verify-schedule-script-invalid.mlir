// RUN: kz-opt %s --split-input-file --verify-diagnostics --kz-verify-schedule

// An upstream step that could change results.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %mm = transform.kz.body %t
    // expected-error @below {{'transform.structured.pad' is not allowed in a schedule; accepted are transform.kz.*, transform.tune.* and transform.param.constant}}
    %a, %b, %c = transform.structured.pad %mm {padding_dimensions = [0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// An operation that is no step at all.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'arith.constant' is not allowed in a schedule; accepted are transform.kz.*, transform.tune.* and transform.param.constant}}
    %c = arith.constant 0 : i32
    transform.yield
  }
}

// -----

// Loops over payload.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'transform.foreach' is not allowed in a schedule; accepted are transform.kz.*, transform.tune.* and transform.param.constant}}
    transform.foreach %t : !transform.any_op {
    ^bb0(%x: !transform.any_op):
    }
    transform.yield
  }
}

// -----

// Other code in the schedule.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @u(%t: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    // expected-error @below {{'transform.include' is not allowed in a schedule; accepted are transform.kz.*, transform.tune.* and transform.param.constant}}
    transform.include @u failures(propagate) (%t) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// Two tasks.
module attributes {transform.with_named_sequence} {
  // expected-error @below {{a schedule takes 1 argument, the task; this one takes 2}}
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}, %u: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}

// -----

// A task that may be consumed.
module attributes {transform.with_named_sequence} {
  // expected-error @below {{the task is an argument that is only read; mark it transform.readonly}}
  transform.named_sequence @s(%t: !transform.any_op) {
    transform.yield
  }
}

// -----

// A result.
module attributes {transform.with_named_sequence} {
  // expected-error @below {{a schedule returns nothing; this one returns 1 values}}
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %t : !transform.any_op
  }
}

// -----

// No body.
module attributes {transform.with_named_sequence} {
  // expected-error @below {{the schedule has no body}}
  transform.named_sequence @s(!transform.any_op {transform.readonly})
}

// -----

// Without end.
module attributes {transform.with_named_sequence} {
  // expected-error @below {{the schedule has 257 operations; at most 256 are accepted}}
  transform.named_sequence @s(%t: !transform.any_op {transform.readonly}) {
    %p0 = transform.param.constant 0 : i64 -> !transform.any_param
    %p1 = transform.param.constant 1 : i64 -> !transform.any_param
    %p2 = transform.param.constant 2 : i64 -> !transform.any_param
    %p3 = transform.param.constant 3 : i64 -> !transform.any_param
    %p4 = transform.param.constant 4 : i64 -> !transform.any_param
    %p5 = transform.param.constant 5 : i64 -> !transform.any_param
    %p6 = transform.param.constant 6 : i64 -> !transform.any_param
    %p7 = transform.param.constant 7 : i64 -> !transform.any_param
    %p8 = transform.param.constant 8 : i64 -> !transform.any_param
    %p9 = transform.param.constant 9 : i64 -> !transform.any_param
    %p10 = transform.param.constant 10 : i64 -> !transform.any_param
    %p11 = transform.param.constant 11 : i64 -> !transform.any_param
    %p12 = transform.param.constant 12 : i64 -> !transform.any_param
    %p13 = transform.param.constant 13 : i64 -> !transform.any_param
    %p14 = transform.param.constant 14 : i64 -> !transform.any_param
    %p15 = transform.param.constant 15 : i64 -> !transform.any_param
    %p16 = transform.param.constant 16 : i64 -> !transform.any_param
    %p17 = transform.param.constant 17 : i64 -> !transform.any_param
    %p18 = transform.param.constant 18 : i64 -> !transform.any_param
    %p19 = transform.param.constant 19 : i64 -> !transform.any_param
    %p20 = transform.param.constant 20 : i64 -> !transform.any_param
    %p21 = transform.param.constant 21 : i64 -> !transform.any_param
    %p22 = transform.param.constant 22 : i64 -> !transform.any_param
    %p23 = transform.param.constant 23 : i64 -> !transform.any_param
    %p24 = transform.param.constant 24 : i64 -> !transform.any_param
    %p25 = transform.param.constant 25 : i64 -> !transform.any_param
    %p26 = transform.param.constant 26 : i64 -> !transform.any_param
    %p27 = transform.param.constant 27 : i64 -> !transform.any_param
    %p28 = transform.param.constant 28 : i64 -> !transform.any_param
    %p29 = transform.param.constant 29 : i64 -> !transform.any_param
    %p30 = transform.param.constant 30 : i64 -> !transform.any_param
    %p31 = transform.param.constant 31 : i64 -> !transform.any_param
    %p32 = transform.param.constant 32 : i64 -> !transform.any_param
    %p33 = transform.param.constant 33 : i64 -> !transform.any_param
    %p34 = transform.param.constant 34 : i64 -> !transform.any_param
    %p35 = transform.param.constant 35 : i64 -> !transform.any_param
    %p36 = transform.param.constant 36 : i64 -> !transform.any_param
    %p37 = transform.param.constant 37 : i64 -> !transform.any_param
    %p38 = transform.param.constant 38 : i64 -> !transform.any_param
    %p39 = transform.param.constant 39 : i64 -> !transform.any_param
    %p40 = transform.param.constant 40 : i64 -> !transform.any_param
    %p41 = transform.param.constant 41 : i64 -> !transform.any_param
    %p42 = transform.param.constant 42 : i64 -> !transform.any_param
    %p43 = transform.param.constant 43 : i64 -> !transform.any_param
    %p44 = transform.param.constant 44 : i64 -> !transform.any_param
    %p45 = transform.param.constant 45 : i64 -> !transform.any_param
    %p46 = transform.param.constant 46 : i64 -> !transform.any_param
    %p47 = transform.param.constant 47 : i64 -> !transform.any_param
    %p48 = transform.param.constant 48 : i64 -> !transform.any_param
    %p49 = transform.param.constant 49 : i64 -> !transform.any_param
    %p50 = transform.param.constant 50 : i64 -> !transform.any_param
    %p51 = transform.param.constant 51 : i64 -> !transform.any_param
    %p52 = transform.param.constant 52 : i64 -> !transform.any_param
    %p53 = transform.param.constant 53 : i64 -> !transform.any_param
    %p54 = transform.param.constant 54 : i64 -> !transform.any_param
    %p55 = transform.param.constant 55 : i64 -> !transform.any_param
    %p56 = transform.param.constant 56 : i64 -> !transform.any_param
    %p57 = transform.param.constant 57 : i64 -> !transform.any_param
    %p58 = transform.param.constant 58 : i64 -> !transform.any_param
    %p59 = transform.param.constant 59 : i64 -> !transform.any_param
    %p60 = transform.param.constant 60 : i64 -> !transform.any_param
    %p61 = transform.param.constant 61 : i64 -> !transform.any_param
    %p62 = transform.param.constant 62 : i64 -> !transform.any_param
    %p63 = transform.param.constant 63 : i64 -> !transform.any_param
    %p64 = transform.param.constant 64 : i64 -> !transform.any_param
    %p65 = transform.param.constant 65 : i64 -> !transform.any_param
    %p66 = transform.param.constant 66 : i64 -> !transform.any_param
    %p67 = transform.param.constant 67 : i64 -> !transform.any_param
    %p68 = transform.param.constant 68 : i64 -> !transform.any_param
    %p69 = transform.param.constant 69 : i64 -> !transform.any_param
    %p70 = transform.param.constant 70 : i64 -> !transform.any_param
    %p71 = transform.param.constant 71 : i64 -> !transform.any_param
    %p72 = transform.param.constant 72 : i64 -> !transform.any_param
    %p73 = transform.param.constant 73 : i64 -> !transform.any_param
    %p74 = transform.param.constant 74 : i64 -> !transform.any_param
    %p75 = transform.param.constant 75 : i64 -> !transform.any_param
    %p76 = transform.param.constant 76 : i64 -> !transform.any_param
    %p77 = transform.param.constant 77 : i64 -> !transform.any_param
    %p78 = transform.param.constant 78 : i64 -> !transform.any_param
    %p79 = transform.param.constant 79 : i64 -> !transform.any_param
    %p80 = transform.param.constant 80 : i64 -> !transform.any_param
    %p81 = transform.param.constant 81 : i64 -> !transform.any_param
    %p82 = transform.param.constant 82 : i64 -> !transform.any_param
    %p83 = transform.param.constant 83 : i64 -> !transform.any_param
    %p84 = transform.param.constant 84 : i64 -> !transform.any_param
    %p85 = transform.param.constant 85 : i64 -> !transform.any_param
    %p86 = transform.param.constant 86 : i64 -> !transform.any_param
    %p87 = transform.param.constant 87 : i64 -> !transform.any_param
    %p88 = transform.param.constant 88 : i64 -> !transform.any_param
    %p89 = transform.param.constant 89 : i64 -> !transform.any_param
    %p90 = transform.param.constant 90 : i64 -> !transform.any_param
    %p91 = transform.param.constant 91 : i64 -> !transform.any_param
    %p92 = transform.param.constant 92 : i64 -> !transform.any_param
    %p93 = transform.param.constant 93 : i64 -> !transform.any_param
    %p94 = transform.param.constant 94 : i64 -> !transform.any_param
    %p95 = transform.param.constant 95 : i64 -> !transform.any_param
    %p96 = transform.param.constant 96 : i64 -> !transform.any_param
    %p97 = transform.param.constant 97 : i64 -> !transform.any_param
    %p98 = transform.param.constant 98 : i64 -> !transform.any_param
    %p99 = transform.param.constant 99 : i64 -> !transform.any_param
    %p100 = transform.param.constant 100 : i64 -> !transform.any_param
    %p101 = transform.param.constant 101 : i64 -> !transform.any_param
    %p102 = transform.param.constant 102 : i64 -> !transform.any_param
    %p103 = transform.param.constant 103 : i64 -> !transform.any_param
    %p104 = transform.param.constant 104 : i64 -> !transform.any_param
    %p105 = transform.param.constant 105 : i64 -> !transform.any_param
    %p106 = transform.param.constant 106 : i64 -> !transform.any_param
    %p107 = transform.param.constant 107 : i64 -> !transform.any_param
    %p108 = transform.param.constant 108 : i64 -> !transform.any_param
    %p109 = transform.param.constant 109 : i64 -> !transform.any_param
    %p110 = transform.param.constant 110 : i64 -> !transform.any_param
    %p111 = transform.param.constant 111 : i64 -> !transform.any_param
    %p112 = transform.param.constant 112 : i64 -> !transform.any_param
    %p113 = transform.param.constant 113 : i64 -> !transform.any_param
    %p114 = transform.param.constant 114 : i64 -> !transform.any_param
    %p115 = transform.param.constant 115 : i64 -> !transform.any_param
    %p116 = transform.param.constant 116 : i64 -> !transform.any_param
    %p117 = transform.param.constant 117 : i64 -> !transform.any_param
    %p118 = transform.param.constant 118 : i64 -> !transform.any_param
    %p119 = transform.param.constant 119 : i64 -> !transform.any_param
    %p120 = transform.param.constant 120 : i64 -> !transform.any_param
    %p121 = transform.param.constant 121 : i64 -> !transform.any_param
    %p122 = transform.param.constant 122 : i64 -> !transform.any_param
    %p123 = transform.param.constant 123 : i64 -> !transform.any_param
    %p124 = transform.param.constant 124 : i64 -> !transform.any_param
    %p125 = transform.param.constant 125 : i64 -> !transform.any_param
    %p126 = transform.param.constant 126 : i64 -> !transform.any_param
    %p127 = transform.param.constant 127 : i64 -> !transform.any_param
    %p128 = transform.param.constant 128 : i64 -> !transform.any_param
    %p129 = transform.param.constant 129 : i64 -> !transform.any_param
    %p130 = transform.param.constant 130 : i64 -> !transform.any_param
    %p131 = transform.param.constant 131 : i64 -> !transform.any_param
    %p132 = transform.param.constant 132 : i64 -> !transform.any_param
    %p133 = transform.param.constant 133 : i64 -> !transform.any_param
    %p134 = transform.param.constant 134 : i64 -> !transform.any_param
    %p135 = transform.param.constant 135 : i64 -> !transform.any_param
    %p136 = transform.param.constant 136 : i64 -> !transform.any_param
    %p137 = transform.param.constant 137 : i64 -> !transform.any_param
    %p138 = transform.param.constant 138 : i64 -> !transform.any_param
    %p139 = transform.param.constant 139 : i64 -> !transform.any_param
    %p140 = transform.param.constant 140 : i64 -> !transform.any_param
    %p141 = transform.param.constant 141 : i64 -> !transform.any_param
    %p142 = transform.param.constant 142 : i64 -> !transform.any_param
    %p143 = transform.param.constant 143 : i64 -> !transform.any_param
    %p144 = transform.param.constant 144 : i64 -> !transform.any_param
    %p145 = transform.param.constant 145 : i64 -> !transform.any_param
    %p146 = transform.param.constant 146 : i64 -> !transform.any_param
    %p147 = transform.param.constant 147 : i64 -> !transform.any_param
    %p148 = transform.param.constant 148 : i64 -> !transform.any_param
    %p149 = transform.param.constant 149 : i64 -> !transform.any_param
    %p150 = transform.param.constant 150 : i64 -> !transform.any_param
    %p151 = transform.param.constant 151 : i64 -> !transform.any_param
    %p152 = transform.param.constant 152 : i64 -> !transform.any_param
    %p153 = transform.param.constant 153 : i64 -> !transform.any_param
    %p154 = transform.param.constant 154 : i64 -> !transform.any_param
    %p155 = transform.param.constant 155 : i64 -> !transform.any_param
    %p156 = transform.param.constant 156 : i64 -> !transform.any_param
    %p157 = transform.param.constant 157 : i64 -> !transform.any_param
    %p158 = transform.param.constant 158 : i64 -> !transform.any_param
    %p159 = transform.param.constant 159 : i64 -> !transform.any_param
    %p160 = transform.param.constant 160 : i64 -> !transform.any_param
    %p161 = transform.param.constant 161 : i64 -> !transform.any_param
    %p162 = transform.param.constant 162 : i64 -> !transform.any_param
    %p163 = transform.param.constant 163 : i64 -> !transform.any_param
    %p164 = transform.param.constant 164 : i64 -> !transform.any_param
    %p165 = transform.param.constant 165 : i64 -> !transform.any_param
    %p166 = transform.param.constant 166 : i64 -> !transform.any_param
    %p167 = transform.param.constant 167 : i64 -> !transform.any_param
    %p168 = transform.param.constant 168 : i64 -> !transform.any_param
    %p169 = transform.param.constant 169 : i64 -> !transform.any_param
    %p170 = transform.param.constant 170 : i64 -> !transform.any_param
    %p171 = transform.param.constant 171 : i64 -> !transform.any_param
    %p172 = transform.param.constant 172 : i64 -> !transform.any_param
    %p173 = transform.param.constant 173 : i64 -> !transform.any_param
    %p174 = transform.param.constant 174 : i64 -> !transform.any_param
    %p175 = transform.param.constant 175 : i64 -> !transform.any_param
    %p176 = transform.param.constant 176 : i64 -> !transform.any_param
    %p177 = transform.param.constant 177 : i64 -> !transform.any_param
    %p178 = transform.param.constant 178 : i64 -> !transform.any_param
    %p179 = transform.param.constant 179 : i64 -> !transform.any_param
    %p180 = transform.param.constant 180 : i64 -> !transform.any_param
    %p181 = transform.param.constant 181 : i64 -> !transform.any_param
    %p182 = transform.param.constant 182 : i64 -> !transform.any_param
    %p183 = transform.param.constant 183 : i64 -> !transform.any_param
    %p184 = transform.param.constant 184 : i64 -> !transform.any_param
    %p185 = transform.param.constant 185 : i64 -> !transform.any_param
    %p186 = transform.param.constant 186 : i64 -> !transform.any_param
    %p187 = transform.param.constant 187 : i64 -> !transform.any_param
    %p188 = transform.param.constant 188 : i64 -> !transform.any_param
    %p189 = transform.param.constant 189 : i64 -> !transform.any_param
    %p190 = transform.param.constant 190 : i64 -> !transform.any_param
    %p191 = transform.param.constant 191 : i64 -> !transform.any_param
    %p192 = transform.param.constant 192 : i64 -> !transform.any_param
    %p193 = transform.param.constant 193 : i64 -> !transform.any_param
    %p194 = transform.param.constant 194 : i64 -> !transform.any_param
    %p195 = transform.param.constant 195 : i64 -> !transform.any_param
    %p196 = transform.param.constant 196 : i64 -> !transform.any_param
    %p197 = transform.param.constant 197 : i64 -> !transform.any_param
    %p198 = transform.param.constant 198 : i64 -> !transform.any_param
    %p199 = transform.param.constant 199 : i64 -> !transform.any_param
    %p200 = transform.param.constant 200 : i64 -> !transform.any_param
    %p201 = transform.param.constant 201 : i64 -> !transform.any_param
    %p202 = transform.param.constant 202 : i64 -> !transform.any_param
    %p203 = transform.param.constant 203 : i64 -> !transform.any_param
    %p204 = transform.param.constant 204 : i64 -> !transform.any_param
    %p205 = transform.param.constant 205 : i64 -> !transform.any_param
    %p206 = transform.param.constant 206 : i64 -> !transform.any_param
    %p207 = transform.param.constant 207 : i64 -> !transform.any_param
    %p208 = transform.param.constant 208 : i64 -> !transform.any_param
    %p209 = transform.param.constant 209 : i64 -> !transform.any_param
    %p210 = transform.param.constant 210 : i64 -> !transform.any_param
    %p211 = transform.param.constant 211 : i64 -> !transform.any_param
    %p212 = transform.param.constant 212 : i64 -> !transform.any_param
    %p213 = transform.param.constant 213 : i64 -> !transform.any_param
    %p214 = transform.param.constant 214 : i64 -> !transform.any_param
    %p215 = transform.param.constant 215 : i64 -> !transform.any_param
    %p216 = transform.param.constant 216 : i64 -> !transform.any_param
    %p217 = transform.param.constant 217 : i64 -> !transform.any_param
    %p218 = transform.param.constant 218 : i64 -> !transform.any_param
    %p219 = transform.param.constant 219 : i64 -> !transform.any_param
    %p220 = transform.param.constant 220 : i64 -> !transform.any_param
    %p221 = transform.param.constant 221 : i64 -> !transform.any_param
    %p222 = transform.param.constant 222 : i64 -> !transform.any_param
    %p223 = transform.param.constant 223 : i64 -> !transform.any_param
    %p224 = transform.param.constant 224 : i64 -> !transform.any_param
    %p225 = transform.param.constant 225 : i64 -> !transform.any_param
    %p226 = transform.param.constant 226 : i64 -> !transform.any_param
    %p227 = transform.param.constant 227 : i64 -> !transform.any_param
    %p228 = transform.param.constant 228 : i64 -> !transform.any_param
    %p229 = transform.param.constant 229 : i64 -> !transform.any_param
    %p230 = transform.param.constant 230 : i64 -> !transform.any_param
    %p231 = transform.param.constant 231 : i64 -> !transform.any_param
    %p232 = transform.param.constant 232 : i64 -> !transform.any_param
    %p233 = transform.param.constant 233 : i64 -> !transform.any_param
    %p234 = transform.param.constant 234 : i64 -> !transform.any_param
    %p235 = transform.param.constant 235 : i64 -> !transform.any_param
    %p236 = transform.param.constant 236 : i64 -> !transform.any_param
    %p237 = transform.param.constant 237 : i64 -> !transform.any_param
    %p238 = transform.param.constant 238 : i64 -> !transform.any_param
    %p239 = transform.param.constant 239 : i64 -> !transform.any_param
    %p240 = transform.param.constant 240 : i64 -> !transform.any_param
    %p241 = transform.param.constant 241 : i64 -> !transform.any_param
    %p242 = transform.param.constant 242 : i64 -> !transform.any_param
    %p243 = transform.param.constant 243 : i64 -> !transform.any_param
    %p244 = transform.param.constant 244 : i64 -> !transform.any_param
    %p245 = transform.param.constant 245 : i64 -> !transform.any_param
    %p246 = transform.param.constant 246 : i64 -> !transform.any_param
    %p247 = transform.param.constant 247 : i64 -> !transform.any_param
    %p248 = transform.param.constant 248 : i64 -> !transform.any_param
    %p249 = transform.param.constant 249 : i64 -> !transform.any_param
    %p250 = transform.param.constant 250 : i64 -> !transform.any_param
    %p251 = transform.param.constant 251 : i64 -> !transform.any_param
    %p252 = transform.param.constant 252 : i64 -> !transform.any_param
    %p253 = transform.param.constant 253 : i64 -> !transform.any_param
    %p254 = transform.param.constant 254 : i64 -> !transform.any_param
    %p255 = transform.param.constant 255 : i64 -> !transform.any_param
    transform.yield
  }
}

// -----

// No schedule.
// expected-error @below {{the module holds no schedule; a schedule is one transform.named_sequence}}
module {}
