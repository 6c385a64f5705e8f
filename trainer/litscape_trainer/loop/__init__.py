"""Training itself: a job of a recipe, texts and examples in, a better encoder out.

``loop.train.train(job, ctx, on_event) -> TrainedModel``, ``loop.probe.probe(job, minutes,
texts, ctx) -> Probe``; records in ``loop.records``. Heads: ``head.train.train_head(job, ctx,
on_event) -> TrainedHead``, ``head.save.save_head(card, head, folder) -> ModelCard``.
"""
