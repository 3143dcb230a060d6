import { set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const fill = "components.schemas.Pot.x-state-machine.transitions.fill";

export const cases: readonly Case[] = [
  {
    name: "a transition by what is no operation",
    changes: [set(`${fill}.by`, ["fillPot", "fillPots"])],
    says: "The transition fill is by fillPots, which is not an operation.",
  },
  {
    name: "a transition that emits what is no event type",
    changes: [set(`${fill}.emits`, ["pot_filled?", "pot_broken?"])],
    says: "The transition fill emits pot_broken, which is not an event type.",
  },
];
