import { expect, test } from "vitest";
import { lazily, together } from "../src/compose/lazily.ts";

function counting() {
  const made: string[] = [];
  const make = (name: string) => () => (made.push(name), { name });
  return { made, services: lazily({ ledger: make("ledger"), custody: make("custody") }) };
}

test("a service is made when it is first asked for, and once", () => {
  const { made, services } = counting();
  expect(made).toEqual([]);
  expect(services.ledger).toBe(services.ledger);
  expect(made).toEqual(["ledger"]);
});

test("both objects in one ask for nothing, where a spread asks for all", () => {
  const { made, services } = counting();
  const both = together(services, { clock: 1 });
  expect(made).toEqual([]);
  expect(both.clock).toBe(1);
  expect(both.custody).toBe(services.custody);
  expect(made).toEqual(["custody"]);
  void { ...services };
  expect(made).toEqual(["custody", "ledger"]);
});
