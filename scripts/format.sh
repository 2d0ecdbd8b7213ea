#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Formats all C++ of the repository. With --check it changes nothing, and
# reports what is not formatted, source files without the licence line, and
# files of more than 800 lines (models in the Inputs of tests aside).
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1-}" in
  "" | --check) ;;
  *)
    echo "format.sh: unknown argument '$1'; expected --check or nothing" >&2
    exit 1
    ;;
esac

# Files of the work tree that git tracks or would track.
list() { git ls-files --cached --others --exclude-standard --deduplicate -- "$@" | while read -r f; do [ -f "$f" ] && echo "$f"; done; true; }

mapfile -t sources < <(list '*.cpp' '*.h' '*.c' '*.cc' '*.inc')
if [ "${1-}" != --check ]; then
  [ ${#sources[@]} -eq 0 ] || clang-format-22 -i "${sources[@]}"
  exit 0
fi

bad=0
if [ ${#sources[@]} -ne 0 ] && ! clang-format-22 --dry-run -Werror "${sources[@]}" 2>/tmp/kz-format.$$; then
  sed -n 's/^\([^ :]*\):[0-9:]* error:.*/format.sh: \1 is not formatted; run scripts\/format.sh/p' /tmp/kz-format.$$ | sort -u >&2
  bad=1
fi
rm -f /tmp/kz-format.$$

while read -r file; do
  if ! head -n 5 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception'; then
    echo "format.sh: $file lacks the line 'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception' among its first 5" >&2
    bad=1
  fi
done < <(list '*.cpp' '*.h' '*.td' '*.py' '*.sh' '*.cmake' '*CMakeLists.txt' '.ci/run')

while read -r file; do
  lines=$(wc -l <"$file")
  if [ "$lines" -gt 800 ]; then
    echo "format.sh: $file has $lines lines, at most 800 are allowed; split it by subject" >&2
    bad=1
  fi
done < <(list '*.cpp' '*.h' '*.td' '*.py' '*.sh' '*.cmake' '*CMakeLists.txt' '*.mlir' '*.md' | grep -v '/Inputs/')
exit $bad
