import type { UseChatReturn } from 'vue-llm'

export async function answerAll(chat: UseChatReturn): Promise<void> {
  for (const { toolCallId, approval } of chat.pendingToolCalls.value) {
    // #region answers
    // A call that asks for a permission:
    if (approval) await chat.answerApproval({ toolCallId, approved: true })
    // A call that waits for a result:
    else await chat.addToolResult({ toolCallId, result: { approved: true } })
    // #endregion answers
  }
}
