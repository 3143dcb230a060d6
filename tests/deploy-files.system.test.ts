import { createTestFolder } from "@gateway/testkit";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { alertCases, goodDay } from "./support/alert-cases.ts";
import { readDeployedUnits } from "./support/deployed-units.ts";
import { findProgram } from "./support/find-program.ts";
import { runCommand } from "./support/local-system.ts";
import { readRepositoryFile, repository } from "./support/source-files.ts";

const promtool = findProgram("promtool");
const systemdAnalyze = findProgram("systemd-analyze");

describe.skipIf(systemdAnalyze === null)("systemd", () => {
  /** The highest permitted exposure by systemd-analyze, whose scale from 0 to 10 is multiplied by ten. */
  const threshold = 15;
  const units = readDeployedUnits().map(({ unit }) => unit);

  test.each([...units, "backup-gateway.service", "backup-gateway.timer"])(
    "takes %s without a warning",
    async (unit) => {
      const folder = await copyUnits();
      const verified = await runCommand(systemdAnalyze ?? "", ["verify", unit], { SYSTEMD_UNIT_PATH: `${folder}:` });
      expect(verified).toEqual({ code: 0, stdout: "", stderr: "" });
    },
  );

  test.each(units)(`gives %s an exposure of ${threshold / 10} at most`, async (unit) => {
    const folder = await copyUnits();
    const judged = await runCommand(
      systemdAnalyze ?? "",
      ["security", "--offline=true", `--threshold=${threshold}`, "--no-pager", join(folder, unit)],
      { SYSTEMD_UNIT_PATH: `${folder}:` },
    );
    expect(judged.code, judged.stdout).toBe(0);
    expect(judged.stdout).toContain("Overall exposure level");
  });
});

/** Copies the units into one folder, as they are installed, with the paths of the programs here. */
async function copyUnits(): Promise<string> {
  const folder = await createTestFolder();
  await cp(join(repository, "deploy/systemd"), folder, { recursive: true });
  const files = ["api@", "auth@", "dispatcher@", "worker@", "console@", "docs"].map(
    (name) => `gateway-${name}.service`,
  );
  for (const file of [...files, "gateway-.service.d/common.conf", "backup-gateway.service"]) {
    const path = join(folder, file);
    await writeFile(path, (await readFile(path, "utf8")).replaceAll("/opt/gateway", repository));
    const instance = /^gateway-(api|auth|dispatcher|worker|console)@/.exec(file)?.[1];
    if (instance !== undefined) {
      const port = { api: "8080", auth: "8081", dispatcher: "9465", worker: "9467", console: "8083" }[instance] ?? "";
      // The argument of `security` must be a file.
      await cp(path, join(folder, `gateway-${instance}@${port}.service`));
    }
  }
  return folder;
}

describe.skipIf(promtool === null)("Prometheus", () => {
  test("takes its configuration and the rules", async () => {
    const checked = await runCommand(promtool ?? "", ["check", "config", "deploy/prometheus/prometheus.yml"]);
    expect(checked.code, checked.stderr).toBe(0);
  });

  test("each alert fires for what it is made for, alone, and none on a good day", async () => {
    const rules = readRepositoryFile("deploy/prometheus/alerts.yml");
    const alerts = Array.from(rules.matchAll(/- alert: (?<name>\w+)/g), ({ groups }) => groups?.["name"] ?? "");
    expect(Object.keys(alertCases)).toEqual(alerts);
    const folder = await createTestFolder();
    const tests = [
      ...alerts.map((name) => ruleTest(name, alertCases[name] ?? {}, [name])),
      ruleTest("a good day", goodDay, []),
    ];
    const file = join(folder, "alerts.test.json");
    const ruleFiles = [join(repository, "deploy/prometheus/alerts.yml")];
    // JSON is YAML too.
    await writeFile(file, JSON.stringify({ rule_files: ruleFiles, evaluation_interval: "1m", tests }));
    const tested = await runCommand(promtool ?? "", ["test", "rules", file]);
    expect(tested.code, tested.stderr).toBe(0);
    console.log(`${alerts.length} alerts fire, each alone`);
  });
});

function ruleTest(name: string, series: Readonly<Record<string, string>>, firing: readonly string[]): object {
  return {
    name,
    interval: "1m",
    input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: "85m",
        exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  };
}
