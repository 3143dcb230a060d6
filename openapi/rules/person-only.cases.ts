import { set, type Change } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const person = set("paths./pots.post.x-person", "required");
const fresh = (seconds: unknown): Change => set("paths./pots.post.x-fresh-sign-in", seconds);

export const cases: readonly Case[] = [
  { name: "an operation for people", changes: [person], says: null },
  { name: "an operation for people who signed in a minute ago", changes: [person, fresh(60)], says: null },
  { name: "an operation for people who signed in today", changes: [person, fresh(86_400)], says: null },
  ...["optional", true, null].map((value) => ({
    name: `an x-person of ${value}`,
    changes: [set("paths./pots.post.x-person", value)],
    says: "x-person must be `required`, or absent.",
  })),
  ...[0, -1, 59, 300.5, 86_401, "300", null].map((seconds) => ({
    name: `an x-fresh-sign-in of ${JSON.stringify(seconds)}`,
    changes: [person, fresh(seconds)],
    says: "x-fresh-sign-in must be a whole number of seconds from 60 to 86400.",
  })),
  {
    name: "a fresh sign-in of programs",
    changes: [fresh(300)],
    says: "x-fresh-sign-in needs x-person: only a person signs in.",
  },
];
