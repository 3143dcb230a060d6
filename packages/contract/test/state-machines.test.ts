import type { OpenAPI3 } from "openapi-typescript";
import { expect, test } from "vitest";
import { readStateMachines } from "../scripts/read-state-machines.ts";
import { renderStateMachines } from "../scripts/render-state-machines.ts";
import type { StateMachine } from "../src/index.ts";

const description = {
  openapi: "3.1.1",
  info: { title: "Pots", version: "1.0.0" },
  components: {
    schemas: {
      PotStatus: { type: "string", enum: ["empty", "full", "broken"] },
      Lid: { type: "object", properties: { status: { type: "string" } } },
      Pot: {
        type: "object",
        properties: { status: { $ref: "#/components/schemas/PotStatus" } },
        "x-state-machine": {
          property: "status",
          final: ["broken"],
          transitions: {
            create: { from: null, to: "empty", by: ["createPot"], emits: ["wallet.created"] },
            fill: { from: ["empty"], to: "full", on: ["sky.rained"], emits: ["payment.settled?", "wallet.created"] },
            break: { from: ["empty", "full"], to: "broken", after: "P1D", when: "it freezes" },
          },
        },
      },
    },
  },
} as const satisfies OpenAPI3;

const pot: StateMachine = {
  property: "status",
  states: ["empty", "full", "broken"],
  final: ["broken"],
  transitions: {
    create: { from: null, to: "empty", by: ["createPot"], emits: ["wallet.created"], mayEmit: [] },
    fill: {
      from: ["empty"],
      to: "full",
      on: ["sky.rained"],
      emits: ["wallet.created"],
      mayEmit: ["payment.settled"],
    },
    break: { from: ["empty", "full"], to: "broken", after: "P1D", when: "it freezes", emits: [], mayEmit: [] },
  },
};

test("a machine is read with its states, and what it emits each time apart from what it may emit", () => {
  expect(readStateMachines(description)).toEqual({ Pot: pot });
});

test("the states are the same when the property lists them itself", () => {
  const { Pot, PotStatus } = description.components.schemas;
  const own = { ...description, components: { schemas: { Pot: { ...Pot, properties: { status: PotStatus } } } } };
  expect(readStateMachines(own)).toEqual({ Pot: pot });
});

test("a machine is written with a line for each transition, so that another one changes no other line", () => {
  const lines = renderStateMachines(description).split("\n");
  expect(lines).toContain("  Pot: {");
  expect(lines.filter((line) => /^ {6}(?:create|fill|break): \{.*\},$/.test(line))).toHaveLength(3);
});
