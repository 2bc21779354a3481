y = torch.tensor([BOS])
while y[-1] != EOS and len(y) <= {longest}:
    log_p = decode(y, memory)[-1]      # of the next word
    log_p[[PAD, BOS, UNK, CLS]] = -torch.inf
    y = torch.cat([y, log_p.argmax()[None]])

p = (log_p / 0.7).softmax(-1)          # temperature 0.7
word = torch.multinomial(p, 1)
