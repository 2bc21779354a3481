z = tokens                     # nothing is added, ({N}, {D})
zs = [z]                       # kept for later
