import { createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { IssuedCertificate } from "@gateway/receiver/certificates";

export type RawServer = {
  url: string;
  port: number;
  connections(): number;
  mostOpen(): number;
  close(): Promise<void>;
};

/** A server below HTTP: `onSocket` handles each connection. With a certificate it speaks TLS first. */
export async function startRawServer(
  onSocket: (socket: Socket) => void,
  certificate?: IssuedCertificate,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let mostOpen = 0;
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    mostOpen = Math.max(mostOpen, sockets.size);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  };
  const handle = (socket: Socket): void => {
    accept(socket);
    onSocket(socket);
  };
  const server = certificate
    ? createTlsServer({ cert: certificate.certificate, key: certificate.key }, handle)
    : createTcpServer(handle);
  server.on("connection", (socket) => {
    connections += 1;
    accept(socket);
  });
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}/hooks`,
    port,
    connections: () => connections,
    mostOpen: () => mostOpen,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
  };
}
