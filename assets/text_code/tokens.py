words = re.findall(r"[\w']+|[^\w\s]", source)     # English: signs are words
words = [w if w in vocabulary else w.lower() for w in words]
if words[-1] not in ".?!":
    words.append(".")
ids = [vocabulary.get(w, UNK) for w in words]
ids = torch.tensor(ids + [EOS])  # (S + 1,)
batch = nn.utils.rnn.pad_sequence([ids, ids[:3]], batch_first=True, padding_value=PAD)
padding = batch == PAD           # no query looks there
