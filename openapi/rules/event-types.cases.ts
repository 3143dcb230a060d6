import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const emits = "paths./pots.post.x-emits";

export const cases: readonly Case[] = [
  {
    name: "an operation that emits what is no event type",
    changes: [set(emits, ["pot_filled", "pot_broken"])],
    says: "x-emits names pot_broken, which is not an event type.",
  },
  {
    name: "an operation that emits several at once, as text",
    changes: [set(emits, "pot_filled,pot_filled")],
    says: "x-emits names pot_filled,pot_filled, which is not an event type.",
  },
  {
    name: "a webhook that is no event type",
    changes: [set("webhooks.pot_broken", { $ref: "#/components/pathItems/PotFilled" })],
    says: "The webhook pot_broken must be in the enum of EventType.",
  },
  {
    name: "a webhook that is no event type, and that an operation emits",
    changes: [set("webhooks.pot_broken", { $ref: "#/components/pathItems/PotFilled" }), set(emits, "pot_broken")],
    says: "The webhook pot_broken must be in the enum of EventType.",
  },
  {
    name: "an event type without a webhook",
    changes: [set("components.schemas.EventType.enum", ["pot_filled", "pot_broken"])],
    says: "The event type pot_broken must have a webhook.",
  },
  {
    name: "webhooks without the list of types",
    changes: [
      remove("components.schemas.EventType"),
      set("components.schemas.Event", { type: "string" }),
      remove("paths./pots/{potId}/fill"),
    ],
    says: "The webhook pot_filled must be in the enum of EventType.",
  },
  { name: "an operation that emits an event type", changes: [set(emits, ["pot_filled"])], says: null },
];
