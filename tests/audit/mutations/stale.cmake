message(FATAL_ERROR "${PROBLEM}")
