/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  /** 0 for columns that are always shown, 1 for those of `-o wide`. */
  readonly priority: number;
  /** The description, if a definition states it. */
  readonly description?: string;
}
