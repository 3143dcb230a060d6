import { authSettings } from "@gateway/auth/config";
import { consoleSettings } from "@gateway/console/config";
import { dispatcherSettings } from "@gateway/dispatcher/config";
import { docsSettings } from "@gateway/docs/config";
import { gatewaySettings } from "@gateway/gateway/config";
import { receiverSettings } from "@gateway/receiver/config";
import { workerSettings } from "@gateway/worker/config";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { localSettings } from "../src/config.ts";

const guide = join(import.meta.dirname, "../../docs/guides/settings.md");
const markers = /<!-- settings -->\n(?<tables>[\s\S]*?)\n<!-- \/settings -->/;

const programs = {
  "API gateway": gatewaySettings,
  "Identity provider": authSettings,
  Dispatcher: dispatcherSettings,
  Worker: workerSettings,
  Console: consoleSettings,
  Documentation: docsSettings,
  "Receiver of the sandbox": receiverSettings,
};

/** The name contains the service: one row is enough for all of them. */
const ofService = /^(?!GATEWAY)[A-Z_]+(?=_UPSTREAM(?:_SECRET)?$)/;

/**
 * The tables of the guide, from the settings that programs read. A setting of several programs is in the first table
 * alone.
 */
function renderTables(): string {
  const names = Object.keys(localSettings);
  const readersOf = (name: string): string[] =>
    Object.entries(programs).flatMap(([program, settings]) => (name in settings ? [program] : []));
  const groups = [
    { title: "Several programs", names: names.filter((name) => readersOf(name).length > 1) },
    ...Object.keys(programs).map((title) => ({
      title,
      names: names.filter((name) => readersOf(name).join() === title),
    })),
    { title: "npm start", names: names.filter((name) => readersOf(name).length === 0) },
  ];
  return groups
    .filter((group) => group.names.length > 0)
    .map((group) => [`### ${group.title}`, "", ...renderTable(group.names)].join("\n"))
    .join("\n\n");
}

function renderTable(names: readonly string[]): string[] {
  const rows = names.map((name) => {
    const { description, default: usual } = localSettings[name as keyof typeof localSettings];
    const service = ofService.exec(name)?.[0];
    const shown = service
      ? description.replaceAll(service, "<SERVICE>").replace(/an external [a-z-]+ service/, "an external service")
      : description;
    return `| \`${name.replace(ofService, "<SERVICE>")}\` | ${shown} | ${usual || "none"} |`;
  });
  return ["| Setting | Meaning | Default |", "|---|---|---|", ...new Set(rows)];
}

test("the guide's tables of settings are what the programs read", () => {
  const tables = markers.exec(readFileSync(guide, "utf8"))?.groups?.["tables"]?.trim();
  const expected = renderTables();
  const advice = `Put this between <!-- settings --> and <!-- /settings --> in apps/docs/guides/settings.md:\n\n${expected}\n`;
  expect(tables === expected ? "" : advice).toBe("");
});

test("no cell holds a character that would break the table", () => {
  const cells = Object.values(localSettings).flatMap((setting) => [setting.description, setting.default]);
  expect(cells.filter((cell) => /[|\n]/.test(cell))).toEqual([]);
});
