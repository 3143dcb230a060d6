import { BlockList, isIP, Socket } from "node:net";

/**
 * Loaded with `node --import`, so that the process connects only to this machine. Any other connection fails before the
 * name is looked up, and is written to stderr. It is visible even when the caller swallows the error.
 */
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

type Target = { host?: string; path?: string };

const connect = Socket.prototype.connect;
Socket.prototype.connect = function connectOnLoopback(this: Socket, ...args: unknown[]): Socket {
  const target = targetOf(args);
  if (!isLocal(target)) {
    process.stderr.write(`only-loopback: ${target.host} was not called\n`);
    return this.destroy(new Error(`${target.host} is not on this machine.`));
  }
  return Reflect.apply(connect, this, args) as Socket;
};

/** node:net passes its own normalised arguments as one array. */
function targetOf([first, second]: readonly unknown[]): Target {
  const given: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof given === "object" && given !== null) {
    return given;
  }
  return typeof given === "string" && Number.isNaN(Number(given))
    ? { path: given }
    : { host: typeof second === "string" ? second : "localhost" };
}

function isLocal({ host = "localhost", path }: Target): boolean {
  const version = isIP(host);
  return (
    path !== undefined || host === "localhost" || (version !== 0 && loopback.check(host, `ipv${version as 4 | 6}`))
  );
}
