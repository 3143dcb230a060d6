import { expect, test } from "vitest";
import { eventTypes } from "../src/index.ts";
import document from "../src/generated/openapi.json" with { type: "json" };

const { schemas } = document.components;

test("the enum of event types has the order of the webhooks", () => {
  expect(schemas.EventType.enum).toEqual(eventTypes);
});

test("the currency table has a row for each currency, in the order of the enum", () => {
  expect(firstColumn(section("Money"))).toEqual(schemas.Currency.enum);
});

test("the currency table has the decimal places that programs read", () => {
  const places = Object.entries(schemas.Currency["x-decimal-places"]);
  expect(places.map(([currency]) => currency)).toEqual(schemas.Currency.enum);
  expect(places.filter(([currency, count]) => !section("Money").includes(`\n| ${currency} | ${count} |`))).toEqual([]);
});

test("the rate limit table has a row for each tier, in the order of the enum", () => {
  expect(firstColumn(section("Rate limits")).map((tier) => tier.toLowerCase())).toEqual(schemas.Tier.enum);
});

const explained = Object.entries<{ description?: string; enum?: string[] }>(schemas).filter(
  ([, { description = "", enum: values }]) => values && firstWords(description).length > 0,
);

test("lists that explain their values are found", () => {
  expect(explained.map(([name]) => name)).toEqual(expect.arrayContaining(["PaymentFailureCode", "WebhookStatus"]));
});

test.each(explained)(
  "%s explains each of its values, in the order of the enum",
  (_name, { description = "", ...list }) => {
    expect(firstWords(description)).toEqual(list.enum);
  },
);

const tabled = Object.entries<{ description?: string; enum?: string[] }>(schemas).filter(
  ([, { description = "", enum: values }]) => values && /^\|---/m.test(description),
);

test("tables that explain their values are found", () => {
  expect(tabled.map(([name]) => name)).toEqual(expect.arrayContaining(["AuditEventType", "ErrorCode", "EventType"]));
});

test.each(tabled)("the table of %s has a row for each value, in the order of the enum", (_name, list) => {
  expect(firstColumn(list.description ?? "")).toEqual(list.enum?.map((value) => `\`${value}\``));
});

const valuesOf = new Map(
  Object.entries<{ description?: string; enum?: string[] }>(schemas).map(([name, list]) => [name, list.enum]),
);
const filters = [...valuesOf.keys()].filter((name) => name.endsWith("Filter") && valuesOf.get(name));

test("filters are found", () => {
  expect(filters).toEqual(expect.arrayContaining(["LedgerTransactionKindFilter", "WalletStatusFilter"]));
});

test.each(filters)("%s has each value that its field may have", (name) => {
  expect(valuesOf.get(name)).toEqual(valuesOf.get(name.replace(/Filter$/, "")));
});

function section(title: string): string {
  return document.info.description.split(/^# /m).find((text) => text.startsWith(`${title}\n`)) ?? "";
}

/** The values that the items of a Markdown list begin with: one, or several with commas. */
function firstWords(text: string): string[] {
  return Array.from(text.matchAll(/^- ((?:`\w+`(?:, )?)+):/gm), ([, words = ""]) =>
    words.replaceAll("`", "").split(", "),
  ).flat();
}

/** The first cells of a Markdown table's rows, without its head. */
function firstColumn(text: string): string[] {
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((line) => line.split("|")[1]?.trim() ?? "");
}
