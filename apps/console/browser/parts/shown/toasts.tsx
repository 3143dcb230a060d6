import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from "react";
import { Icon } from "./icon.tsx";

type Toast = { id: number; text: string };

const ToastContext = createContext<(text: string) => void>(() => {});

/** Confirms a finished action in a corner. A failure is shown where the action was requested, not here. */
export function useToast(): (text: string) => void {
  return useContext(ToastContext);
}

let count = 0;
const shownMs = 6000;

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const drop = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const add = useCallback(
    (text: string) => {
      count += 1;
      const id = count;
      setToasts((all) => [...all.slice(-2), { id, text }]);
      setTimeout(() => drop(id), shownMs);
    },
    [drop],
  );
  const region = useMemo(
    () => (
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text }) => (
          <div key={id} className="toast">
            <Icon name="check" /> <span>{text}</span>
            <button type="button" className="icon-button tiny" aria-label="Dismiss" onClick={() => drop(id)}>
              <Icon name="close" size={14} />
            </button>
          </div>
        ))}
      </div>
    ),
    [toasts, drop],
  );
  return (
    <ToastContext value={add}>
      {children}
      {region}
    </ToastContext>
  );
}
