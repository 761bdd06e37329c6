# Makes one object of those in ARCHIVE, whose hidden symbols are its own. Static variables of templates are unique symbols, which only
# become its own as weak ones.
set(object ${ARCHIVE}.o)
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${LINKER} -r --force-group-allocation --whole-archive ${ARCHIVE} -o ${object})
execute_process(COMMAND ${NM} --defined-only ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " u [^\n]+" unique "${symbols}")
list(TRANSFORM unique REPLACE "^ u " "")
list(JOIN unique "\n" unique)
file(WRITE ${object}.unique "${unique}\n")
run(${OBJCOPY} --weaken-symbols=${object}.unique ${object})
run(${OBJCOPY} --localize-hidden ${object})
file(REMOVE ${ARCHIVE})
run(${AR} rcs ${ARCHIVE} ${object})
file(REMOVE ${object} ${object}.unique)
