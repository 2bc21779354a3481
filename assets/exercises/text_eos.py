def translate(source):               # ids, [EOS] at the end
    memory = encode(source)
    words = [BOS]
    while len(words) <= {longest}:  #!
        logits = decode(torch.tensor(words), memory)
        log_p = logits[-1].log_softmax(-1)
        log_p[[PAD, BOS, UNK, CLS]] = -math.inf  # never said
        word = int(log_p.argmax())
        words.append(word)
    return words[1:]
#?
    while words[-1] == EOS and len(words) <= {longest}:
    while words[-1] != PAD and len(words) <= {longest}:
    while words[-1] != EOS and len(words) <= {longest}:  #=
