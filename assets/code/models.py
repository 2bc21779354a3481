N, D, L, M = {N}, {D}, {L}, {M}
qkv = 3 * D * D + 3 * D * {qkv_bias}
block_size = qkv + D * D + D + 2 * D * M + M + D + 4 * D
count = {patch_dim} * D + D + D + N * D
count += L * block_size + 2 * D + (D + 1) * {classes}
