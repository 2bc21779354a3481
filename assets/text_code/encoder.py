for block in encoder:            # {L} of them
    a = block.attention(z, z)
    z = block.norm1(z + a)       # post-norm
    f = block.linear2(F.relu(block.linear1(z)))
    z = block.norm2(z + f)       # (S + 1, {D})
memory = z
