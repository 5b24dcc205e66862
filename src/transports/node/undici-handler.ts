/** Lets an undici client abort and pause its request. */
export interface DispatchController {
  readonly aborted: boolean;
  readonly paused: boolean;
  readonly reason: Error | null;
  rawHeaders: Buffer[];
  rawTrailers: Buffer[];
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

/** The callbacks of an undici client for a request. */
export interface DispatchHandler {
  onRequestStart?(controller: DispatchController, context: object): void;
  onResponseStart?(
    controller: DispatchController,
    status: number,
    headers: Record<string, string | string[]>,
    statusText: string,
  ): void;
  onResponseData?(controller: DispatchController, piece: Buffer): void;
  onResponseEnd?(controller: DispatchController, trailers: Record<string, string>): void;
  onResponseError?(controller: DispatchController, error: Error): void;
}

/** The callbacks of older versions, which the fetch of version 7 still uses. */
export interface LegacyHandler {
  onConnect?(abort: (reason?: Error) => void, context: object): void;
  onHeaders?(
    status: number,
    headers: readonly Buffer[],
    resume: () => void,
    statusText: string,
  ): boolean | undefined;
  onData?(piece: Buffer): boolean | undefined;
  onComplete?(trailers: readonly Buffer[]): void;
  onError?(error: Error): void;
}

/** A handler with the current callbacks. */
export function handlerOf(handler: DispatchHandler | LegacyHandler): DispatchHandler {
  if (!isLegacy(handler)) return handler;
  return {
    onRequestStart: (controller, context) =>
      handler.onConnect?.((reason) => controller.abort(reason ?? abortError()), context),
    onResponseStart: (controller, status, _headers, statusText) => {
      const goOn = handler.onHeaders?.(status, controller.rawHeaders, () => controller.resume(), statusText);
      if (goOn === false) controller.pause();
    },
    onResponseData: (controller, piece) => {
      if (handler.onData?.(piece) === false) controller.pause();
    },
    onResponseEnd: () => handler.onComplete?.([]),
    onResponseError: (_controller, error) => handler.onError?.(error),
  };
}

/** The error for a client that aborts without a reason. */
export function abortError(): Error {
  return new DOMException("This operation was aborted", "AbortError");
}

function isLegacy(handler: DispatchHandler | LegacyHandler): handler is LegacyHandler {
  return !("onRequestStart" in handler);
}
