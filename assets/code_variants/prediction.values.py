# y: what the head reads, after its layer norm
values = F.linear(y, W, b)     # no softmax
