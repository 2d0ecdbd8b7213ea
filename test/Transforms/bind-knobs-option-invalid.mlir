// RUN: not kz-opt %s --kz-bind-knobs='values=bm' 2>&1 | FileCheck %s
// CHECK: error: 'bm' binds nothing; accepted is name=value
module {}
