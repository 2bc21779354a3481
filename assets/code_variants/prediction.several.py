# y: what the head reads, after its layer norm
logits = F.linear(y, W, b)     # one for each label
p = logits.sigmoid()           # each on its own
