#version 450
// tev1.color_source=15,0,0 tev1.alpha_source=15,0,0 tev2.color_source=15,0,0 tev2.alpha_source=15,0,0 tev3.color_source=15,0,0 tev3.alpha_source=15,0,0 tev4.color_source=15,0,0 tev4.alpha_source=15,0,0 tev5.color_source=15,0,0 tev5.alpha_source=15,0,0 alpha_func=0 output=1
void main()
{
    discard;
}
