/** The samples of a metric, by their labels as written (`{operation="getWallet"}`; empty text for none). */
export async function readMetric(metricsPort: number, name: string): Promise<Map<string, number>> {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const samples = (await response.text()).split("\n").flatMap((line) => {
    const match = /^(?<name>\w+)(?<labels>\{.*\})? (?<value>\S+)$/.exec(line);
    return match?.groups?.["name"] === name
      ? [[match.groups["labels"] ?? "", Number(match.groups["value"])] as const]
      : [];
  });
  return new Map(samples);
}
