# a weight, and what it moves: first head, first token
weight = A[0, 0]               # ({N},)
moved = weight * v[0].norm(dim=-1)
