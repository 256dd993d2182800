import type { UseChatReturn } from 'vue-llm'

// #region answers
export async function answerAll({
  pendingToolCalls,
  answerApproval,
  addToolResult,
}: UseChatReturn) {
  for (const { toolCallId, approval } of pendingToolCalls.value) {
    // A call that asks for a permission:
    if (approval) await answerApproval({ toolCallId, approved: true })
    // A call that waits for a result, whatever its tool promises the model:
    else await addToolResult({ toolCallId, result: { approved: true } })
  }
}
// #endregion answers
