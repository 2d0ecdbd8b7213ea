# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Build settings and the helpers add_kz_library, add_kz_tool, add_kz_unittest.

option(KERNELZERO_PCH "share one precompiled header of the dialects" ON)
option(KERNELZERO_PORTABLE "build one static multi-call binary" OFF)
set(KERNELZERO_SANITIZE "" CACHE STRING "sanitizers, for example address,undefined")

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# Debian's libMLIR is built with NDEBUG; without it transform extensions ask
# for symbols that the library lacks.
add_compile_definitions(NDEBUG)
# The same code model for libraries and programs, or they cannot share the
# precompiled header (CMake's property gives -fPIC to one and -fPIE to the other).
add_compile_options(-fPIC -Wall -Wextra -Wno-unused-parameter -fvisibility-inlines-hidden
                    -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options(-Xclang -fno-pch-timestamp)
endif()
if(KERNELZERO_SANITIZE)
  add_compile_options(-fsanitize=${KERNELZERO_SANITIZE} -fno-sanitize=vptr -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${KERNELZERO_SANITIZE} -fno-sanitize=vptr)
  # libMLIR poisons the memory of its own allocators, but is not instrumented
  # itself: its poison would be reported where our templates meet it.
  set(KZ_SANITIZER_ENV "ASAN_OPTIONS=allow_user_poisoning=0:detect_leaks=1:allocator_may_return_null=1"
      "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1")
endif()

set(KERNELZERO_TEST_TIMEOUT 300 CACHE STRING "seconds after which one test has failed")
set(LLVM_EXTERNAL_LIT "${LLVM_TOOLS_BINARY_DIR}/lit" CACHE FILEPATH "lit")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)

# What every MLIR-facing target links: the shared libraries, or for the
# portable binary Debian's archives by path. CMake's MLIR* targets would bring
# the shared objects along too, and two copies of LLVM abort at start.
if(KERNELZERO_PORTABLE)
  file(GLOB KZ_MLIR_ARCHIVES ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  list(FILTER KZ_MLIR_ARCHIVES EXCLUDE REGEX
       "libMLIR(CAPI|TestDialect|Test)|Unittest|TestingSupport|Fuzz")
  set(KZ_MLIR_LIBS -Wl,--start-group ${KZ_MLIR_ARCHIVES} -Wl,--end-group
      -l:libz.a -l:libzstd.a)
  # Libraries that others look for are archives too.
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  add_link_options(-Wl,--gc-sections,--as-needed -static-libstdc++ -static-libgcc -s)
else()
  set(KZ_MLIR_LIBS MLIR LLVM)
endif()

add_library(KZPrecompiled OBJECT ${PROJECT_SOURCE_DIR}/cmake/modules/Precompiled.cpp)
target_compile_options(KZPrecompiled PRIVATE -fno-exceptions -fno-rtti)
if(KERNELZERO_PCH)
  target_precompile_headers(KZPrecompiled PRIVATE
    ${PROJECT_SOURCE_DIR}/cmake/modules/Precompiled.h)
endif()

# Gives a target the flags of MLIR code and the shared precompiled header.
function(kz_mlir_flags name)
  target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti)
  if(KERNELZERO_PCH)
    target_precompile_headers(${name} REUSE_FROM KZPrecompiled)
  endif()
  if(TARGET kz-headers)
    add_dependencies(${name} kz-headers)
  endif()
endfunction()

# add_kz_library(NAME [EXCEPTIONS] [NO_INSTALL] sources... [LINK_LIBS libs...])
# A static library, part of the installed package. EXCEPTIONS: code that throws or catches (protobuf, JSON,
# SQLite wrappers), compiled without the precompiled header.
function(add_kz_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS;NO_INSTALL" "" "LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  if(NOT ARG_NO_INSTALL)
    set_property(GLOBAL APPEND PROPERTY KZ_LIBRARIES ${name})
  endif()
  if(ARG_EXCEPTIONS)
    target_compile_options(${name} PRIVATE -fexceptions -frtti)
    if(TARGET kz-headers)
      add_dependencies(${name} kz-headers)
    endif()
  else()
    kz_mlir_flags(${name})
  endif()
endfunction()

# add_kz_tool(NAME ENTRY function [EXCEPTIONS] sources... [LINK_LIBS libs...])
# A program whose sources define `int kernelzero::function(int, char **)`. The
# portable build makes no program of it but a part of `kz`.
function(add_kz_tool name)
  cmake_parse_arguments(ARG "EXCEPTIONS" "ENTRY" "LINK_LIBS" ${ARGN})
  if(NOT ARG_ENTRY)
    message(FATAL_ERROR "add_kz_tool(${name}) lacks ENTRY, the function that its sources define")
  endif()
  set(exceptions)
  if(ARG_EXCEPTIONS)
    set(exceptions EXCEPTIONS)
  endif()
  add_kz_library(${name}-main ${exceptions} NO_INSTALL ${ARG_UNPARSED_ARGUMENTS} LINK_LIBS ${ARG_LINK_LIBS})
  set_property(GLOBAL APPEND PROPERTY KZ_TOOLS ${name})
  set_property(GLOBAL APPEND_STRING PROPERTY KZ_TOOLS_DEF "KZ_TOOL(\"${name}\", ${ARG_ENTRY})\n")
  if(NOT KERNELZERO_PORTABLE)
    set(KZ_TOOL_ENTRY ${ARG_ENTRY})
    configure_file(${PROJECT_SOURCE_DIR}/tools/main.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp @ONLY)
    add_executable(${name} ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE ${name}-main ${KZ_MLIR_LIBS})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    install(TARGETS ${name} RUNTIME DESTINATION bin)
  endif()
endfunction()

# add_kz_portable(): the program `kz` and a link to it for every tool, in the
# place where tests look for tools; kz-portable packs them.
function(add_kz_portable)
  get_property(tools GLOBAL PROPERTY KZ_TOOLS)
  get_property(def GLOBAL PROPERTY KZ_TOOLS_DEF)
  file(CONFIGURE OUTPUT KZTools.def CONTENT "${def}" @ONLY)
  add_executable(kz ${PROJECT_SOURCE_DIR}/tools/kz/kz.cpp)
  target_include_directories(kz PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
  list(TRANSFORM tools APPEND -main OUTPUT_VARIABLE mains)
  target_link_libraries(kz PRIVATE ${mains} ${KZ_MLIR_LIBS})
  set_target_properties(kz PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  foreach(tool ${tools})
    add_custom_target(${tool} COMMAND ${CMAKE_COMMAND} -E create_symlink kz ${PROJECT_BINARY_DIR}/bin/${tool}
      DEPENDS kz)
  endforeach()
  find_program(KZ_PYTHON python3 REQUIRED)
  add_custom_target(kz-portable
    COMMAND ${KZ_PYTHON} ${PROJECT_SOURCE_DIR}/scripts/make_portable.py
            --source ${PROJECT_SOURCE_DIR} --build ${PROJECT_BINARY_DIR} --tools ${tools}
    DEPENDS kz ${tools} USES_TERMINAL)
endfunction()
