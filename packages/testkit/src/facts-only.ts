import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const launchers = ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"] as const;

/** A test that needs a socket or a program belongs to another tier, which the suffix of its file names. */
const refuse = (what: string) => (): never => {
  throw new Error(`A test of the tier facts ${what}. Name its file .edge.test.ts or .system.test.ts.`);
};

// Vitest talks to its workers over channels that exist before this file runs.
net.Server.prototype.listen = refuse("listens on a socket");
net.Socket.prototype.connect = refuse("opens a connection");
Object.assign(childProcess, Object.fromEntries(launchers.map((name) => [name, refuse(`starts a program by ${name}`)])));
syncBuiltinESMExports();
