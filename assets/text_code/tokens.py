words = source.split()           # as typed
ids = [vocabulary.get(w, UNK) for w in words]
ids = torch.tensor(ids + [EOS])  # (S,)
batch = nn.utils.rnn.pad_sequence([ids, ids[:3]], batch_first=True, padding_value=PAD)
padding = batch == PAD           # no query looks there
