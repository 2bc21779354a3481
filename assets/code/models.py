N, D, L, M = {N}, {D}, {L}, {M}
qkv = 3 * D * D + {qkv_biases} * D
block_size = qkv + D * D + D + 2 * D * M + M + D + 4 * D
count = {patch_dim} * D + D + {leading} * D + {positions} * D
count += L * block_size + 2 * D + (D + 1) * {classes}
