import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const cause = "components.pathItems.PotFilled.x-cause";
const emits = "paths./pots/{potId}/fill.post.x-emits";
const missing = "The webhook pot_filled is emitted by no operation, so x-cause must say in a sentence what causes it.";

export const cases: readonly Case[] = [
  { name: "an event that nothing is said to cause", changes: [remove(emits)], says: missing },
  { name: "a cause that is no text", changes: [remove(emits), set(cause, true)], says: missing },
  { name: "a cause that is no sentence", changes: [remove(emits), set(cause, "rain")], says: missing },
  {
    name: "an event that an operation emits and that has a cause of its own",
    changes: [set(cause, "It rains.")],
    says: "The webhook pot_filled is emitted by an operation, so it must have no x-cause.",
  },
  {
    name: "an event that time or the outside causes",
    changes: [remove(emits), set(cause, "It rains.")],
    says: null,
  },
];
