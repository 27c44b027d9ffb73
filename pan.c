int puts(const char*);int main(void){puts("pan: reached -DMEMLIM bound");return 0;}
