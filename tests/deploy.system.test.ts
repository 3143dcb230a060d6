import { createTestFolder, findFreePorts, startProcess, waitFor, type TestProcess } from "@gateway/testkit";
import { writeFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestAuthority } from "../apps/dispatcher/test/support/certificates.ts";
import { replaceEach, startDeployedSystem, whenListening, type DeployedSystem } from "./support/deployed-system.ts";
import { findProgram } from "./support/find-program.ts";
import { runCommand, type CommandResult } from "./support/local-system.ts";
import { readRepositoryFile } from "./support/source-files.ts";

const pgbouncer = findProgram("pgbouncer");
const redis = findProgram("redis-server");
const proxies = { nginx: findProgram("nginx"), caddy: findProgram("caddy") };

describe.skipIf(pgbouncer === null || redis === null)("the programs on the files of deploy/", () => {
  let system: DeployedSystem;
  let key: string;

  beforeAll(async () => {
    system = await startDeployedSystem({ pgbouncer: pgbouncer ?? "", redis: redis ?? "" });
    key = await system.createKey();
  });
  afterAll(() => system.destroy());

  test("each metric that an alert names is one that they export", async () => {
    const exported = new Set(["up"]);
    for (const port of Object.values(system.metricsPorts)) {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      Array.from(text.matchAll(/^# TYPE (?<name>\w+)/gm), ({ groups }) => exported.add(groups?.["name"] ?? ""));
    }
    const named = metricsOf(readRepositoryFile("deploy/prometheus/alerts.yml"));
    console.log(`${named.length} names of metrics in the alerts, ${exported.size} are exported`);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !exported.has(name.replace(/_bucket$/, "")))).toEqual([]);
  });

  test("through the pooler they hear of revoked credentials, for they have the direct address too", async () => {
    const isUp = async (): Promise<boolean> => {
      const text = await (await fetch(`http://127.0.0.1:${system.metricsPorts.gateway}/metrics`)).text();
      return /^gateway_credential_listener_up 1$/m.test(text);
    };
    // A busy machine may miss a heartbeat, and the next one repairs that.
    expect(await waitFor(isUp)).toBe(true);
  });

  describe.each(["nginx", "caddy"] as const)("behind %s", (name) => {
    const command = proxies[name];
    let proxy: Proxy;

    beforeAll(async () => {
      if (command !== null) {
        proxy = await startProxy[name](command, system);
      }
    });
    afterAll(() => proxy?.process.destroy());

    test.skipIf(command === null)("its own check takes the file", () => {
      expect(proxy.check.code, proxy.check.stderr).toBe(0);
    });

    test.skipIf(command === null)("a call is answered, though the other gateway is away", async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => proxy.get("api", "/api/v1/account", { "X-API-Key": key })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      expect(answers[0]?.headers["strict-transport-security"]).toBe("max-age=31536000");
      expect(JSON.parse(answers[0]?.body ?? "")).toMatchObject({ data: { email: "live@example.com", livemode: true } });
    });

    test.skipIf(command === null)(
      "nobody says himself who he is: attempts are counted by the true address",
      async () => {
        const remaining: number[] = [];
        for (const address of ["198.51.100.1", "198.51.100.2", "198.51.100.3"]) {
          const { headers } = await proxy.get("api", "/api/v1/account", { "X-Forwarded-For": address });
          remaining.push(Number(headers["x-ratelimit-remaining"]));
        }
        const [first = 0] = remaining;
        expect(remaining).toEqual([first, first - 1, first - 2]);
      },
    );

    test
      .skipIf(command === null)
      .each(["/api/v1//account", "/api/v1/wallets/..%2faccount", "/api/v1/wallets/%2e%2e/account"])(
      "the gateway itself refuses %s, which arrives as it was sent",
      async (target) => {
        const { status, body } = await proxy.get("api", target, { "X-API-Key": key });
        expect([status, JSON.parse(body)]).toEqual([
          expect.toSatisfy((one: number) => one === 400 || one === 404),
          { error: expect.objectContaining({ code: expect.any(String) }), meta: expect.any(Object) },
        ]);
      },
    );

    test.skipIf(command === null)("headers and bodies that are too large are refused in the envelope", async () => {
      const large = await proxy.get("api", "/api/v1/account", { "X-API-Key": key, "X-Large": "x".repeat(17 * 1024) });
      expect([large.status, large.body]).toEqual([431, expect.stringContaining('"error"')]);
      const post = await proxy.post(
        "/api/v1/wallets",
        { "X-API-Key": key },
        JSON.stringify({ name: "x".repeat(300_000) }),
      );
      expect([post.status, post.body]).toEqual([413, expect.stringContaining('"error"')]);
    });

    test.skipIf(command === null)("the identity provider knows its own address, and http leads to https", async () => {
      const { body } = await proxy.get("auth", "/.well-known/openid-configuration");
      expect(JSON.parse(body)).toMatchObject({ issuer: "https://auth.example.com" });
      const signIn = await proxy.get("auth", "/sign-in");
      expect([signIn.status, signIn.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      const plain = await fetch(`http://127.0.0.1:${proxy.plainPort}/account`, { redirect: "manual" });
      expect([301, 308]).toContain(plain.status);
    });

    test.skipIf(command === null)("the console leads to it, with a cookie of its own host alone", async () => {
      const { status, headers } = await proxy.get("console", "/sign-in");
      expect([status, headers["strict-transport-security"]]).toEqual([303, "max-age=31536000"]);
      expect(headers["location"]).toMatch(
        /^https:\/\/auth\.example\.com\/api\/v1\/authorize\?.*console\.example\.com%2Fcallback/,
      );
      expect(headers["set-cookie"]).toEqual([expect.stringMatching(/^__Host-console-sign-in-.*; Secure$/)]);
      const spoiled = await proxy.get("console", "/api/v1/../../metrics", {
        "X-Console": "1",
        "Sec-Fetch-Site": "same-origin",
      });
      expect([400, 401, 403, 404]).toContain(spoiled.status);
    });
  });

  test("they stop in order", async () => {
    expect(await system.stop()).toEqual([0, 0, 0, 0, 0]);
  });
});

/** Words of the query language. */
const words =
  /^(?:abs|and|by|count|histogram_quantile|increase|max|min|on|or|rate|sum|le|fingerprint|job|kind|operation|symbol|unless|[smhd])$/;

/** The metrics of the expressions: every name that is not a word of the language, a label or a value. */
function metricsOf(rules: string): string[] {
  const expressions = Array.from(
    rules.matchAll(/expr: (?:>-\n)?(?<expression>[\s\S]*?)\n\s+(?:for|labels):/g),
    ({ groups }) => groups?.["expression"] ?? "",
  );
  const names = expressions.flatMap(
    (text) => text.replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]/g, "").match(/[a-z]\w*/gi) ?? [],
  );
  return [...new Set(names)].filter((name) => !words.test(name));
}

type Answer = { status: number; headers: Record<string, unknown>; body: string };

type Proxy = {
  process: TestProcess;
  check: CommandResult;
  plainPort: number;
  get(host: "api" | "auth" | "console", path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, headers: Record<string, string>, body: string): Promise<Answer>;
};

/**
 * Starts each proxy with its file of `deploy/`. Only ports, the folder of certificates, and the paths of its own files
 * are replaced.
 */
const startProxy = {
  nginx: async (command: string, system: DeployedSystem): Promise<Proxy> => {
    const { folder, plainPort, port, upstreams } = await prepareProxy(system);
    const certificate = await (await createTestAuthority()).issue();
    await writeFile(join(folder, "fullchain.pem"), certificate.certificate);
    await writeFile(join(folder, "privkey.pem"), certificate.key);
    const site = replaceEach(readRepositoryFile("deploy/nginx/gateway.conf"), {
      ...upstreams,
      "/etc/letsencrypt/live/api.example.com": folder,
      "listen 80;": `listen 127.0.0.1:${plainPort};`,
      "listen 443 ": `listen 127.0.0.1:${port} `,
    });
    const file = join(folder, "nginx.conf");
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((one) => `${one}_temp_path ${folder};`);
    const user = process.getuid?.() === 0 ? "user root;" : "";
    const http = `http { access_log off; ${paths.join(" ")}\n${site}}`;
    await writeFile(file, `daemon off; ${user} pid ${folder}/pid; error_log stderr; events {}\n${http}\n`);
    const check = await runCommand(command, ["-t", "-c", file]);
    const proxy = startProcess(command, ["-c", file]);
    return { process: await whenListening(proxy, port), check, plainPort, ...askThrough(port) };
  },
  caddy: async (command: string, system: DeployedSystem): Promise<Proxy> => {
    const { folder, plainPort, port, upstreams } = await prepareProxy(system);
    // The file unchanged. Our proxy listens on loopback only, with an authority of its own.
    const check = await runCommand(
      command,
      ["validate", "--adapter", "caddyfile", "--config", "deploy/caddy/Caddyfile"],
      { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    );
    const options = `admin off\nlocal_certs\nskip_install_trust\ndefault_bind 127.0.0.1\nhttp_port ${plainPort}\nhttps_port ${port}`;
    const file = join(folder, "Caddyfile");
    await writeFile(
      file,
      replaceEach(readRepositoryFile("deploy/caddy/Caddyfile"), {
        ...upstreams,
        "email operators@example.com": options,
      }),
    );
    const proxy = startProcess(command, ["run", "--adapter", "caddyfile", "--config", file], {
      env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
    const asked = askThrough(port);
    await whenListening(proxy, port);
    // Caddy listens before it has created its certificates.
    for (const host of ["api", "auth", "console"] as const) {
      await waitFor(() => asked.get(host, "/").then(Boolean, () => false));
    }
    return { process: proxy, check, plainPort, ...asked };
  },
};

async function prepareProxy({ ports }: DeployedSystem) {
  const folder = await createTestFolder();
  const [plainPort = 0, port = 0] = await findFreePorts(2);
  // A port that systems never assign. On any other port the program of another test could respond.
  const nobody = 1;
  const upstreams = {
    "127.0.0.1:8080": `127.0.0.1:${ports.gateway}`,
    "127.0.0.1:8090": `127.0.0.1:${nobody}`,
    "127.0.0.1:8081": `127.0.0.1:${ports.auth}`,
    "127.0.0.1:8091": `127.0.0.1:${nobody}`,
    "127.0.0.1:8083": `127.0.0.1:${ports.console}`,
    "127.0.0.1:8093": `127.0.0.1:${nobody}`,
  };
  return { folder, plainPort, port, upstreams };
}

function askThrough(port: number): Pick<Proxy, "get" | "post"> {
  const ask = (
    method: string,
    { host, path, headers, body }: { host: string; path: string; headers: Record<string, string>; body?: string },
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request(
        // The certificate is the test's.
        {
          method,
          host: "127.0.0.1",
          port,
          path,
          headers: { ...headers, Host: host },
          servername: host,
          rejectUnauthorized: false,
        },
        (res) => {
          const chunks: Buffer[] = [];
          res.on("data", (chunk: Buffer) => chunks.push(chunk));
          res.on("end", () =>
            resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks).toString() }),
          );
        },
      );
      sent.on("error", reject).end(body);
    });
  return {
    get: (host, path, headers = {}) => ask("GET", { host: `${host}.example.com`, path, headers }),
    post: (path, headers, body) =>
      ask("POST", { host: "api.example.com", path, headers: { ...headers, "Content-Type": "application/json" }, body }),
  };
}
