"""The steps that several commands share once their task is decided: build, certify and pin
revisions, time a job here or inside another kernel, try a pilot first. Everything enters but
commands."""
