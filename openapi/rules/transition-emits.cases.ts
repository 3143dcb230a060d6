import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const transitions = "components.schemas.Pot.x-state-machine.transitions";
const create = "paths./pots.post.x-emits";
const fill = "paths./pots/{potId}/fill.post.x-emits";
const createEmitsNothing = "x-emits of createPot must be what its transitions emit: nothing.";
const listEmitsNothing = "x-emits of listPots must be what its transitions emit: nothing.";

export const cases: readonly Case[] = [
  {
    name: "an operation that does not say what its transition emits",
    changes: [remove(fill)],
    says: "x-emits of fillPot must be what its transitions emit: pot_filled.",
  },
  {
    name: "an operation that emits what none of its transitions does",
    changes: [set(create, ["pot_filled"])],
    says: createEmitsNothing,
  },
  {
    name: "an operation that moves nothing and emits",
    changes: [set("paths./pots.get.x-emits", ["pot_filled"])],
    says: listEmitsNothing,
  },
  {
    name: "a change of a balance beside a transition that emits none",
    changes: [set(create, ["wallet.balance_changed"])],
    says: createEmitsNothing,
  },
  {
    name: "a change of a balance by an operation of another service than the ledger",
    changes: [set("paths./pots.x-service", "events"), set("paths./pots.get.x-emits", ["wallet.balance_changed"])],
    says: listEmitsNothing,
  },
  {
    name: "a change of a balance by an operation of the ledger that moves no thing",
    changes: [set("paths./pots.get.x-emits", ["wallet.balance_changed"])],
    says: null,
  },
  {
    name: "what several transitions emit, together",
    changes: [
      set(`${transitions}.refill`, { from: ["empty"], to: "full", by: ["fillPot"], emits: ["pot_refilled"] }),
      set(fill, ["pot_refilled", "pot_filled"]),
    ],
    says: null,
  },
];
