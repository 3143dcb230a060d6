import { basename } from "node:path";
import { readRepositoryFile } from "./source-files.ts";

export type DeployedUnit = {
  /** The name of the app in `apps/`. */
  app: string;
  /** The name of the systemd unit. For a template, this is its instance. */
  unit: string;
  /** The environment from the unit and from the files that the unit names. */
  env: Record<string, string>;
};

const units = [
  { app: "gateway", file: "gateway-api@.service", instance: "8080" },
  { app: "auth", file: "gateway-auth@.service", instance: "8081" },
  { app: "dispatcher", file: "gateway-dispatcher@.service", instance: "9465" },
  { app: "worker", file: "gateway-worker@.service", instance: "9467" },
  { app: "console", file: "gateway-console@.service", instance: "8083" },
  { app: "docs", file: "gateway-docs.service", instance: "" },
];

/** Reads the programs as `deploy/` runs them. */
export function readDeployedUnits(): DeployedUnit[] {
  return units.map(({ app, file, instance }) => {
    const text = readRepositoryFile(`deploy/systemd/${file}`).replaceAll("%i", instance);
    const files = valuesOf(text, "EnvironmentFile").map((path) => readRepositoryFile(`deploy/env/${basename(path)}`));
    const assignments = [
      ...files.flatMap((content) => content.split("\n").filter((line) => /^\w+=/.test(line))),
      ...valuesOf(text, "Environment").flatMap((line) => line.split(" ")),
    ];
    const env = Object.fromEntries(
      assignments.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
    return { app, unit: file.replace("@", `@${instance}`), env };
  });
}

function valuesOf(unit: string, name: string): string[] {
  return Array.from(unit.matchAll(new RegExp(`^${name}=(?<value>.*)$`, "gm")), ({ groups }) => groups?.["value"] ?? "");
}
