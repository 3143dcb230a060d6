import { Tabs } from "../../parts/tabs.tsx";

export function Views({ current }: { current: "transfers" | "rules" }) {
  return (
    <Tabs
      name="view"
      current={current}
      tabs={[
        { value: "transfers", label: "Transfers" },
        { value: "rules", label: "Rules and addresses" },
      ]}
    />
  );
}
