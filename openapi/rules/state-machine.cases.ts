import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const machine = "components.schemas.Pot.x-state-machine";
const fill = `${machine}.transitions.fill`;
const shape =
  "x-state-machine must say property, final and transitions; a transition from, to, what causes it, and what it emits.";
const oneCause = "The transition fill must have one of by, on and after.";
const duration = "The transition fill must have an after such as PT24H or P7D.";

export const cases: readonly Case[] = [
  { name: "a machine that is none", changes: [set(machine, "on and off")], says: shape },
  { name: "a machine without its property", changes: [remove(`${machine}.property`)], says: shape },
  { name: "a transition from nowhere that is told", changes: [remove(`${fill}.from`)], says: shape },
  { name: "a transition from a list of no states", changes: [set(`${fill}.from`, [])], says: shape },
  { name: "a transition by no operation", changes: [set(`${fill}.by`, [])], says: shape },
  { name: "a word of a transition that nobody knows", changes: [set(`${fill}.emit`, ["pot_filled"])], says: shape },
  {
    name: "a state that the property does not list",
    changes: [set("components.schemas.PotStatus.enum", ["empty"])],
    says: "The enum of status must have full.",
  },
  {
    name: "a property that is not there",
    changes: [set("components.schemas.Pot.properties", {}), set(`${machine}.transitions`, {})],
    says: "The enum of status must have full.",
  },
  {
    name: "a state of the property that no transition leads to",
    changes: [set("components.schemas.PotStatus.enum", ["empty", "full", "broken"])],
    says: "No transition leads to broken.",
  },
  {
    name: "a state that is reached only from itself",
    changes: [
      set("components.schemas.PotStatus.enum", ["empty", "full", "broken"]),
      set(`${machine}.transitions.break`, { from: ["broken"], to: "broken", by: ["fillPot"] }),
    ],
    says: "No transition leads to broken.",
  },
  {
    name: "a transition out of what is final",
    changes: [set(`${machine}.transitions.spill`, { from: ["full"], to: "empty", on: ["pot.spilled"] })],
    says: "The transition spill leaves full, which is final.",
  },
  { name: "a transition without a cause", changes: [remove(`${fill}.by`)], says: oneCause },
  { name: "a transition with two causes", changes: [set(`${fill}.on`, ["sky.rained"])], says: oneCause },
  { name: "a time in words", changes: [remove(`${fill}.by`), set(`${fill}.after`, "a day")], says: duration },
  { name: "a time of nothing", changes: [remove(`${fill}.by`), set(`${fill}.after`, "PT")], says: duration },
  {
    name: "a condition of what is no matter of time",
    changes: [set(`${fill}.when`, "it is not full")],
    says: "The transition fill must have when only together with after.",
  },
  { name: "a fact as the cause", changes: [remove(`${fill}.by`), set(`${fill}.on`, ["sky.rained"])], says: null },
  {
    name: "time as the cause, under a condition",
    changes: [remove(`${fill}.by`), set(`${fill}.after`, "P1DT12H"), set(`${fill}.when`, "it rains")],
    says: null,
  },
];
