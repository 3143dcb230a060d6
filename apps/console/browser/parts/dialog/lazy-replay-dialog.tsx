import { Suspense, type ComponentProps } from "react";
import type { ReplayDialog as Dialog } from "./replay-dialog.tsx";
import { lazyPart } from "../page/lazy-part.ts";

const Loaded = lazyPart(() => import("./replay-dialog.tsx"), "ReplayDialog");

export function ReplayDialog(options: ComponentProps<typeof Dialog>) {
  return (
    <Suspense>
      <Loaded {...options} />
    </Suspense>
  );
}
