# Writes a string literal of a hash of files' contents, when it changed:
#   cmake -DOUT=FILE -DFILES=a,b,c -P HashFiles.cmake
string(REPLACE "," ";" FILES "${FILES}")
set(all "")
foreach(file ${FILES})
  file(SHA256 ${file} hash)
  get_filename_component(name ${file} NAME)
  string(APPEND all "${name} ${hash}\n")
endforeach()
string(SHA256 identity "${all}")
file(CONFIGURE OUTPUT ${OUT} CONTENT "\"${identity}\"\n")
