import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

export const cases: readonly Case[] = [
  {
    name: "a POST without the header",
    changes: [set("paths./pots.post.parameters", [])],
    says: "A POST must take the optional header Idempotency-Key.",
  },
  {
    name: "a POST that cannot do without the header",
    changes: [set("components.parameters.IdempotencyKey.required", true)],
    says: "A POST must take the optional header Idempotency-Key.",
  },
  {
    name: "a POST that cannot say that its answer is a replay",
    changes: [remove("paths./pots.post.responses.201.headers.Idempotency-Replayed")],
    says: "Response 201 of a POST must have the header Idempotency-Replayed.",
  },
];
