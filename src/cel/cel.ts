export {
  type CompileOptions,
  compileExpression,
  type Evaluation,
  type Expression,
  ExpressionError,
  type Extension,
  evaluate,
  type Variables,
} from "./evaluate.ts";
