z = norm_before(tokens + E_pos)  # z_0, ({N}, {D})
zs = [z]                       # kept for later
