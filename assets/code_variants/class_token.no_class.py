# no learned vector stands for the whole image
tokens = x_p
assert tokens.shape == ({N}, {D})
