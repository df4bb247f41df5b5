# cmake -D PASS=FOLDER/NAME.so -P identity.cmake: writes FOLDER/NAME.inc, a line of C++ that holds the hash of the pass and does
# nothing. (Not a comment: compiler caches compare preprocessed sources.) A file that holds it already stays untouched.
get_filename_component(folder ${PASS} DIRECTORY)
get_filename_component(name ${PASS} NAME_WE)
file(SHA256 ${PASS} hash)
set(identity "static_assert(true, \"${name} ${hash}\");\n")
set(old "")
if(EXISTS ${folder}/${name}.inc)
  file(READ ${folder}/${name}.inc old)
endif()
if(NOT old STREQUAL identity)
  file(WRITE ${folder}/${name}.inc "${identity}")
endif()
