import { set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const message = 'A pattern needs x-issue, which completes "The field ...": "must begin with https://".';
const text = { type: "string", pattern: "^a+$" };

export const cases: readonly Case[] = [
  { name: "a pattern without its sentence", changes: [set("components.schemas.Text", text)], says: message },
  {
    name: "a sentence that is none",
    changes: [set("components.schemas.Text", { ...text, "x-issue": "wrong" })],
    says: message,
  },
  {
    name: "a sentence with the expression in it",
    changes: [set("components.schemas.Text", { ...text, "x-issue": "must be ^a+$" })],
    says: message,
  },
  {
    name: "a mistake without its sentence",
    changes: [
      set("components.schemas.Text", {
        ...text,
        "x-issue": "must be the letter a",
        "x-mistakes": [{ pattern: "^b$" }],
      }),
    ],
    says: 'Each of x-mistakes is { pattern, issue }: what callers often send, and what completes "The field ..." then.',
  },
  {
    name: "a pattern with its sentence",
    changes: [set("components.schemas.Text", { ...text, "x-issue": "must be the letter a, once or more" })],
    says: null,
  },
];
