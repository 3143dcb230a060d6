import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export type TcpProxy = { port: number; cut(): void; restore(): void; close(): Promise<void> };

/**
 * Connects a client with a server on this machine. While it is cut, connections break and new ones are refused at once.
 */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    track(socket);
    if (isCut) {
      socket.destroy();
      return;
    }
    const upstream = connect(target.port, target.host);
    track(upstream);
    socket.pipe(upstream).pipe(socket);
    socket.on("close", () => upstream.destroy());
    upstream.on("close", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      sockets.forEach((socket) => socket.destroy());
    },
    restore: () => {
      isCut = false;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
  };
}
