import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { buildPackage } from "../scripts/build-package.ts";

/** The published declarations as an editor shows them. */
let checker: ts.TypeChecker;
let exported: ReadonlyMap<string, ts.Symbol>;

beforeAll(async () => {
  await buildPackage();
  const file = join(import.meta.dirname, "../dist/index.d.ts");
  const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext });
  checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const entry = source && checker.getSymbolAtLocation(source);
  exported = new Map(entry && checker.getExportsOfModule(entry).map((symbol) => [symbol.name, symbol]));
});

describe("on hover", () => {
  test.each([
    "Wallet",
    "WalletCreate",
    "Webhook",
    "WebhookWithSecret",
    "ApiKey",
    "Person",
    "Delivery",
    "Event",
    "Payment",
  ])("%s and each of its fields show their text of the document", (name) => {
    const fields = typeOf(name).getProperties();
    expect(fields.length).toBeGreaterThan(1);
    expect(fields.filter((field) => textOf(field) === "").map((field) => field.name)).toEqual([]);
    expect(textOf(exported.get(name))).not.toBe("");
  });

  test("what a method gives is called by its name", () => {
    const wallets = typeOf("Resources").getProperty("wallets");
    const [create, list] = ["create", "list"].map((name) => {
      const method = wallets && checker.getTypeOfSymbol(wallets).getProperty(name);
      return (
        method && checker.typeToString(checker.getTypeOfSymbol(method), undefined, ts.TypeFormatFlags.NoTruncation)
      );
    });
    expect(create).toBe("(body: WalletCreate, options?: PostOptions) => CallPromise<Wallet>");
    expect(list).toMatch(/List<Wallet>$/);
  });
});

function typeOf(name: string): ts.Type {
  const symbol = exported.get(name);
  if (!symbol) {
    throw new Error(`The client exports no ${name}.`);
  }
  return checker.getDeclaredTypeOfSymbol(
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );
}

function textOf(given: ts.Symbol | undefined): string {
  const symbol = given && given.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(given) : given;
  const tags = symbol?.getJsDocTags(checker).map(({ text }) => ts.displayPartsToString(text)) ?? [];
  return ts.displayPartsToString(symbol?.getDocumentationComment(checker)) + tags.join("");
}
